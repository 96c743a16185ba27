#pragma once

/// How many times memory was allocated since the start of the process.
long allocation_count(void);
