//--local_size=[16,16] --num_groups=[*,*]
__kernel void transpose_square(__global float *out, __global const float *in, int width, int height) {
    __local float tile[16 * 17];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * 16 + lx, y = get_group_id(1) * 16 + ly;
    if (x < width && y < height)
        tile[ly * 17 + lx] = in[y * width + x];
    «barrier(CLK_LOCAL_MEM_FENCE);¦»
    x = get_group_id(1) * 16 + lx;
    y = get_group_id(0) * 16 + ly;
    if (x < height && y < width)
        out[y * height + «x¦x / 2»] = tile[lx * 17 + ly];
}
