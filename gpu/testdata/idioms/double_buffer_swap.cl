//--local_size=64 --num_groups=*
__kernel void double_buffer_swap(__global const int *in, __global int *out, int rounds) {
    __local int a[64], b[64];
    __local int *from = a, *to = b;
    int t = get_local_id(0);
    from[t] = in[get_global_id(0)];
    for (int k = 0; k < rounds; k++) {
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
        to[t] = from[(t + 1) % 64] + from[t];
        __local int *x = from;
        from = to;
        to = «x¦from»;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = from[63 - t];
}
