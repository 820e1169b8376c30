// A transposed matrix through a tile of local memory, with padding against bank conflicts.
__kernel void transpose(__global float *out, __global const float *a, int n)
{
    __local float tile[edge][edge + padding];
    int x = get_local_id(0), y = get_local_id(1), bx = get_group_id(0) * edge, by = get_group_id(1) * edge;
    for (int r = 0; r < edge; r += rows)
        tile[y + r][x] = a[(by + y + r) * n + bx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < edge; r += rows)
        out[(bx + y + r) * n + by + x] = tile[x][y + r];
}
