//--local_size=[64,1,1] --num_groups=[*,1,1]
//run block 64 grid 2
__kernel void walsh(__global int *data) {
    __local int s[128];
    uint t = get_local_id(0), base = get_group_id(0) * 128;
    s[t] = data[base + t];
    s[t + 64] = data[base + t + 64];
    for (uint h = 1; h < 128; h <<= 1) {
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
        uint low = t & (h - 1), i = ((t - low) «<< 1¦<< 0») + low, j = i + h;
        int a = s[i], b = s[j];
        s[i] = a + b;
        s[j] = a - b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + t] = s[t];
    data[base + t + 64] = s[t + 64];
}
