//--local_size=* --num_groups=*
// A sum over tiles: the work items of a group fetch a tile together, wait, read all of
// it, and wait again before they fetch the next one.
__kernel void tiled(__global const int *in, __global int *out, __local int *tile, int tiles)
{
    size_t me = get_local_id(0);
    int sum = 0;
    for (int k = 0; k < tiles; k++) {
        tile[me] = in[k * get_local_size(0) + me];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t j = 0; j < get_local_size(0); j++)
            sum += tile[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
