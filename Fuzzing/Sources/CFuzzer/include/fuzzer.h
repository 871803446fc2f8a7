#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main function, for programs that have their own.
int LLVMFuzzerRunDriver(int *argument_count, char ***arguments,
                        int (*test)(const uint8_t *data, size_t size));
