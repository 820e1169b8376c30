//--local_size=*,1,1 --num_groups=*,1,1
__kernel void scan(__global const int *in, __global int *out, __local int *s) {
    uint t = get_local_id(0), n = get_local_size(0);
    s[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < n; d <<= 1) {
        int x = t >= d ? s[t - d] : 0;
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
        s[t] += x;
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    out[get_global_id(0)] = s[t];
}
