//--local_size=*,1,1 --num_groups=*,1,1
__kernel void doubling(__global int *out, __local int *s) {
    uint t = get_local_id(0), n = get_local_size(0);
    s[t] = t;
    for (uint d = 1; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % (2 * d) == 0 && t + d < n)
            s[t] += s[t + «d¦2 * d¦2»];
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
