// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The most memory the process ever had resident, in kilobytes; nil where the system does not say.
///
/// Read from `/proc` and not asked of `getrusage`, because that counts what the parent had before
/// it started this process. Without Foundation, whose own memory would be counted.
public func peakMemory() -> Int? {
  #if os(Linux)
    guard let file = unsafe fopen("/proc/self/status", "r") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
  #endif
  return nil
}
