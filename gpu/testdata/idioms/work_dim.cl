//--local_size=[8,8] --num_groups=[4,4]
__kernel void work_dim(__global int *out) {
    int i = get_global_id(0);
    if (get_work_dim() == «2¦1»)
        i += get_global_id(1) * «get_global_size(0)¦get_local_size(0)»;
    out[i] = get_global_id(1);
}
