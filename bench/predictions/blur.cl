// A line of a blurred array, from local memory.
__kernel void blur(__global float *out, __global const float *a, int n)
{
    __local float tile[block_size_x + 2 * radius];
    int first = get_group_id(0) * block_size_x, me = get_local_id(0);
    for (int i = me; i < block_size_x + 2 * radius; i += block_size_x)
        tile[i] = a[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i <= 2 * radius; i++)
        sum += tile[me + i];
    out[first + me] = sum / (2 * radius + 1);
}
