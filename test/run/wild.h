// Defines a function of another file, for wild.cm.
static void write_elsewhere(svmptr_t to, vector_ref<uint, 16> v)
{
    cm_svm_block_write(to, v); // LINE-HEADER
}
