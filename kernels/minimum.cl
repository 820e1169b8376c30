//--local_size=* --num_groups=*
// The least of the elements: each work item looks at TS of them, then the first one
// of each group at what the others of its group have found.
__kernel void minimum(__global const int *in, __global int *out, __local int *part, int TS)
{
    size_t me = get_local_id(0);
    int least = in[get_global_id(0) * TS];
    for (int j = 1; j < TS; j++) {
        int x = in[get_global_id(0) * TS + j];
        if (x < least)
            least = x;
    }
    part[me] = least;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        for (size_t i = 1; i < get_local_size(0); i++) {
            int x = part[i];
            if (x < least)
                least = x;
        }
        out[get_group_id(0)] = least;
    }
}
