//--local_size=[8,8,1] --num_groups=[*,*,*]
__kernel void nchw_nested(__global const float *in, __global float *out, int channels, int height, int width) {
    int x = get_global_id(0), y = get_global_id(1), c = get_group_id(2);
    if (x < width && «y < height¦true» && c < channels)
        out[(c * height + y) * «width¦(width - 1)» + x] = in[(c * height + y) * width + x] * 2;
}
