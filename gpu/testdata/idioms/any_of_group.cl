//--local_size=64 --num_groups=*
__kernel void any_of_group(__global const int *in, __global int *out, __local int *flag, __local int *s) {
    int t = get_local_id(0), x = in[get_global_id(0)];
    if (t == 0)
        *flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (*flag) {
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
        if (t == 0)
            *flag = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[t] = x;
        if (x > 0)
            *flag = «1¦x»;
        barrier(CLK_LOCAL_MEM_FENCE);
        x -= s[63 - t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
