// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesSQL
package import SporadesStore

/// The first stage of opening: the content of the file at a store's path.
package enum StoreContent: Sendable {
  /// There is no file.
  case nothing
  /// The file has no bytes or no tables: a process began a store and did not finish.
  case empty
  case store(StoreIdentity)
  /// The file holds other data, or a damaged store. The error tells which.
  case unreadable(StoreError)

  /// Inspects the file at a path. The file and its log stay unchanged, and no file is made beside them.
  package static func read(at path: String) throws(StoreError) -> StoreContent {
    guard try isFile(path) else { return .nothing }
    if let error = StoreError.text(path) { return .unreadable(error) }
    return try UntouchedFile(path).read { (connection) throws(StoreError) in
      do throws(StoreError) { return try StoreContent(on: connection) } catch {
        throw error.located(at: path)
      }
    }.located(at: path)
  }

  /// Inspects the database of a connection. Throws if SQLite cannot read it for a reason other than its
  /// content.
  package init(
    on connection: Connection, _ names: LayoutNames = CoreDataLayout.names
  ) throws(StoreError) {
    do throws(StoreError) {
      self = try StoreIdentity(connection, names).map(StoreContent.store) ?? .empty
    } catch  where error.code == .corrupt || error.code == .unsupported {
      self = .unreadable(error)
    }
  }

  /// False if no file is at the path. Throws if the path holds something other than a file, or if this
  /// process may not read the file.
  static func isFile(_ path: String) throws(StoreError) -> Bool {
    switch SystemFile.kind(path) {
    case .none: return false
    case .file:
      guard SystemFile.isReadable(path) else {
        throw StoreError(
          .cannotOpen, "This process may not read the store at \(path). Change its permissions.")
      }
      return true
    case .folder, .other:
      throw StoreError(
        .cannotOpen,
        "\(path) is a folder, or something else that is no file. Name a file.")
    case .hidden:
      let message = SystemFile.message(SystemFile.lastError)
      throw StoreError(
        .cannotOpen,
        "The system refuses access to \(path): \(message). Try again, or change the permissions "
          + "of its folder.")
    }
  }

  /// The identity of the store; throws if there is no store.
  func identity(at path: String) throws(StoreError) -> StoreIdentity {
    switch self {
    case .store(let identity): return identity
    case .nothing: throw StoreError(.cannotOpen, "There is no store at \(path).")
    case .empty: throw StoreError.emptyFile(path)
    case .unreadable(let error): throw error.located(at: path)
    }
  }

  private func located(at path: String) -> StoreContent {
    guard case .unreadable(let error) = self else { return self }
    return .unreadable(error.located(at: path))
  }
}

extension StoreError {
  /// The error for a file of one byte, which SQLite would treat as empty and overwrite. Nil for a file of
  /// any other size.
  static func text(_ path: String) -> StoreError? {
    guard SystemFile.size(path) == 1 else { return nil }
    return StoreError(.corrupt, "\(path) is no SQLite database; name another file.")
  }

  /// The error for a file without a store.
  static func emptyFile(_ path: String) -> StoreError {
    StoreError(
      .cannotOpen,
      "\(path) holds no store yet: it is empty, or a process began a store there and did not finish, or it is a copy "
        + "without the log, the file \(path)-wal. Open it for writing to make the store there.")
  }
}
