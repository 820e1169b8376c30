//--local_size=*,1,1 --num_groups=*,1,1
__kernel void reduce(__global const float *in, __global float *out, uint n, __local float *s) {
    uint t = get_local_id(0);
    uint i = get_global_id(0);
    s[t] = i < n ? in[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {
        if (t «< d¦<= d¦>= 0»)
            s[t] += s[t + d];
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
