//--local_size=[*,1,1] --num_groups=[*,1,1]
__kernel void unique_slots(__global const int *in, __global int *out, __global int *count, int n) {
    int i = get_global_id(0);
    if (i < n && in[i] > 0)
        out[«atomic_inc(count)¦atomic_or(count, 1)¦atomic_inc(&count[i & 1])»] = in[i];
}
