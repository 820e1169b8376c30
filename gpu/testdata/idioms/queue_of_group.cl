//--local_size=64 --num_groups=*
__kernel void queue_of_group(__global const int *in, __global int *out, __local int *n, __local int *list) {
    int t = get_local_id(0);
    if (t == 0)
        *n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = in[get_global_id(0)];
    if (x > 0)
        list[atomic_add(n, «1¦x»)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < *n)
        out[get_group_id(0) * 64 + t] = list[«t¦t / 2»];
    «¦out[get_group_id(0)] = t;»
}
