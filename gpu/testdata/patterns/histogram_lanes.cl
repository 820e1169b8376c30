//--local_size=[64,1,1] --num_groups=[*,1,1]
//run block 64 grid 2 values 400
__kernel void by_thread(__global const uchar *in, __global uint *part, uint n) {
    __local uchar own[64 * 32];
    uint t = get_local_id(0);
    for (uint b = 0; b < 32; b++) own[b * 64 + t] = 0;
    for (uint i = get_global_id(0); i < n; i += 64 * get_num_groups(0))
        own[(in[i] & 31) * 64 + t]++;
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    if (t < 32) {
        uint sum = 0;
        for (uint k = 0; k < 64; k++) sum += own[t * 64 + k];
        part[get_group_id(0) * «32¦31» + t] = sum;
    }
}
