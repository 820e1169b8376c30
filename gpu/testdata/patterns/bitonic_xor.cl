//--local_size=[64,1,1] --num_groups=[*,1,1]
//run block 64 grid 2
__kernel void sort(__global uint *keys, __local uint *s) {
    uint t = get_local_id(0);
    s[t] = keys[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; size <= 64; size *= 2)
        for (uint gap = size >> 1; gap > 0; gap >>= 1) {
            uint other = t ^ gap;
            uint a = s[t], b = s[other];
            «barrier(CLK_LOCAL_MEM_FENCE);¦»
            bool low = t < other, up = (t & size) == 0;
            s[«t¦other & t»] = (a < b) == (low == up) ? a : b;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    keys[get_global_id(0)] = s[t];
}
