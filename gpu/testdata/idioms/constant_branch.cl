//--local_size=64 --num_groups=*
__kernel void constant_branch(__constant int *mode, __global int *out, __local int *s) {
    int t = get_local_id(0);
    s[t] = t;
    if (mode[«0¦t»] > 0)
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    out[get_global_id(0)] = mode[0] > 0 ? s[63 - t] : t;
}
