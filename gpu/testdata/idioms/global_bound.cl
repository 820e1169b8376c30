//--local_size=64 --num_groups=*
__kernel void global_bound(__global const int *count, __global const int *in, __global int *out, __local int *s) {
    int t = get_local_id(0), x = 0;
    int n = count[«get_group_id(0)¦t»];
    for (int r = 0; r < n; r++) {
        s[t] = in[r * 64 + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        x += s[63 - t];
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    out[get_global_id(0)] = x;
}
