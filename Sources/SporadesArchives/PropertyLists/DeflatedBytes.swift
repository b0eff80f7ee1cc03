// SPDX-License-Identifier: MIT
import CZlib

/// Bytes that are compressed without a header, as stores keep their models.
package enum DeflatedBytes {
  /// Expands the bytes. A result beyond the limit is refused, because a few kilobytes can stand for gigabytes.
  package static func inflate(
    _ bytes: [UInt8], limit: Int
  ) throws(PropertyListError) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe sporades_inflate_begins(&stream) != 0 else {
      throw PropertyListError("there is no memory to expand it")
    }
    // The end of the stream only frees memory, and has nothing to report after the bytes were taken.
    defer { _ = unsafe inflateEnd(&stream) }
    let (expanded, isWhole) = try run(bytes, limit) { input, output in
      unsafe stream.exchange(input, &output) { unsafe sporades_inflate($0) }
    }
    guard isWhole else {
      throw PropertyListError("its compressed bytes are damaged or end too early")
    }
    return expanded
  }

  /// Compresses the bytes.
  package static func deflate(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe sporades_deflate_begins(&stream, bytes.count) != 0 else {
      throw PropertyListError("there is no memory to compress it")
    }
    // As above: nothing is left to report.
    defer { _ = unsafe deflateEnd(&stream) }
    let (compressed, isWhole) = try run(bytes, .max) { input, output in
      unsafe stream.exchange(input, &output) { unsafe sporades_deflate($0) }
    }
    guard isWhole else {
      throw PropertyListError("it is too large to be compressed")
    }
    return compressed
  }

  /// Gives the input to `step`, which fills a buffer and says how much it took and made, until it is done.
  private static func run(
    _ bytes: [UInt8], _ limit: Int,
    _ step: (ArraySlice<UInt8>, inout [UInt8]) -> Step
  ) throws(PropertyListError) -> (bytes: [UInt8], isWhole: Bool) {
    var rest = bytes[...]
    var result: [UInt8] = []
    // Most models take a few kilobytes, and an array is set to zero.
    var buffer = [UInt8](repeating: 0, count: min(max(1 << 10, bytes.count), 1 << 14) << 2)
    while true {
      let step = step(rest, &buffer)
      rest = rest.dropFirst(step.taken)
      result += buffer[..<step.made]
      guard result.count <= limit else {
        throw PropertyListError("it expands to more than \(limit >> 20) MiB, which no model needs")
      }
      // A step that neither takes nor makes bytes can go no further.
      if step.outcome != SporadesStepGoesOn || (step.taken == 0 && step.made == 0) {
        return (result, step.outcome == SporadesStepIsLast)
      }
    }
  }

  fileprivate struct Step {
    let taken: Int
    let made: Int
    let outcome: SporadesStep
  }
}

extension z_stream {
  /// Lets a function of zlib read from the input and write to the output.
  fileprivate mutating func exchange(
    _ input: ArraySlice<UInt8>, _ output: inout [UInt8],
    _ function: (UnsafeMutablePointer<z_stream>) -> SporadesStep
  ) -> DeflatedBytes.Step {
    let given = Int(UInt32(clamping: input.count))
    let room = output.count
    return unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        // zlib declares its input as mutable and does not change it.
        unsafe next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe avail_in = UInt32(given)
        unsafe next_out = output.baseAddress
        unsafe avail_out = UInt32(room)
        let outcome = unsafe function(&self)
        return unsafe DeflatedBytes.Step(
          taken: given - Int(avail_in), made: room - Int(avail_out), outcome: outcome)
      }
    }
  }
}
