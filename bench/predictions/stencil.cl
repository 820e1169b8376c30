// Five points of a grid with a border, several rows an item.
__kernel void stencil(__global float *out, __global const float *a, int n)
{
    int x = get_global_id(0) + 1, first = get_group_id(1) * block_size_y * rows + get_local_id(1) + 1, w = n + 2;
    for (int r = 0; r < rows; r++) {
        int y = first + r * block_size_y;
        out[(y - 1) * n + x - 1] = 0.2f * (a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
    }
}
