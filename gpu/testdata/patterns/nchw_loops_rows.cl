//--local_size=[64,1,1] --num_groups=[*,*,1]
//run block 64 grid 2,3 values 2 3 4
__kernel void pool_rows(__global const float *in, __global float *out, int channels, int height, int width) {
    int c = get_group_id(1);
    for (int x = get_global_id(0); x < width; x += get_global_size(0))
        for (int y = 0; y < height; y++) {
            float best = 0;
            for (int dy = 0; dy < 2; dy++)
                best = fmax(best, in[(c * height * 2 + 2 * y + dy) * width + x]);
            out[(«c¦c / 2» * height + y) * width + «x¦0»] = best;
        }
}
