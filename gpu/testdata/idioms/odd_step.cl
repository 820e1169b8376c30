//--local_size=64 --num_groups=1
__kernel void odd_step(__local int *a, __global int *out) {
    int t = get_local_id(0);
    int x = 0;
    while (x != «4¦3») {
        x += 2;
        a[t] = x;
    }
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    out[t] = a[63 - t];
}
