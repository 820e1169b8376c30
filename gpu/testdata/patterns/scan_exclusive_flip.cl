//--local_size=[64,1,1] --num_groups=[*,1,1]
//run block 64 grid 2
__kernel void flip_scan(__global const int *in, __global int *out) {
    __local int s[128];
    int t = get_local_id(0), now = 0, next = 1;
    s[t] = t > 0 ? in[get_group_id(0) * 64 + t - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d <<= 1) {
        int v = s[now * 64 + t];
        if (t >= d) v += s[now * 64 + t - d];
        s[next * 64 + t] = v;
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
        int k = now;
        now = «next¦k»;
        next = k;
    }
    out[get_group_id(0) * 64 + t] = s[now * 64 + t];
}
