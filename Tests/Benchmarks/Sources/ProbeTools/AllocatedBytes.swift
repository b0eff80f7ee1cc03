// SPDX-License-Identifier: MIT
import CAllocator

/// The bytes the process has allocated and not given back; 0 where the C library does not tell.
public func allocatedBytes() -> Int { allocator_bytes_in_use() }
