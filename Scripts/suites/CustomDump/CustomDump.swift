// SPDX-License-Identifier: MIT
import Testing

/// Records an issue if two values differ, as the function of that name in the package swift-custom-dump does.
public func expectNoDifference<Value: Equatable>(
  _ one: @autoclosure () throws -> Value, _ other: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String? = nil, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column
) {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  do {
    let (one, other) = (try one(), try other())
    if one != other {
      let words = message().map { "\($0): " } ?? ""
      Issue.record("\(words)\(one) differs from \(other)", sourceLocation: place)
    }
  } catch {
    Issue.record(error, sourceLocation: place)
  }
}
