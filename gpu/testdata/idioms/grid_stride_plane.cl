//--local_size=[*,*,1] --num_groups=[*,*,1]
__kernel void grid_stride_plane(__global float *out, __global const float *in, int width, int height) {
    for (int y = get_global_id(1); y < height; y += get_global_size(1))
        for (int x = get_global_id(0); x < width; x += «get_global_size(0)¦get_local_size(0)»)
            out[y * width + «x¦x / 2»] = in[y * width + x];
}
