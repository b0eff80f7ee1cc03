// SPDX-License-Identifier: MIT
import CImageTypes

/// The classes of the program, also those that no code has named yet.
package enum ProgramClasses {
  /// The classes whose own names are the last part of a name: `Note` and `Notes.Note` find each `Note` of the program.
  package static func named(_ name: String) -> [Any.Type] {
    let last = name.split(separator: ".").last.map { String($0) } ?? name
    var types: [Any.Type] = []
    var place = 0
    while let metadata = unsafe sporades_next_class(last, &place) {
      types.append(unsafe unsafeBitCast(metadata, to: Any.Type.self))
    }
    return types
  }
}
