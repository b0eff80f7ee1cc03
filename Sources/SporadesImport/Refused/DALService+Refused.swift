// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
import SporadesModel

// Words from habit. The compiler chooses these functions only where no other fits, and reports one sentence.

private let refusal = "The compiler refuses this call."

extension ImportMapping {
  /// Refuses a key path in front of its key.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "write the key first: key(\"Title\", to: \\.title)"
  )
  public func key(_ keyPath: PartialKeyPath<Object>, _ keys: String...) -> Self { trap(refusal) }
}

extension ImportReport {
  /// Refuses another name of the failures.
  @available(*, unavailable, renamed: "failures")
  public var errors: [ImportFailure] { trap(refusal) }
}

extension ImportSource {
  /// Refuses bytes without a label.
  @_disfavoredOverload
  @available(*, unavailable, message: "write the label: .json(data: bytes)")
  public static func json(_ data: Data, _ form: JSONForm = .automatic) -> ImportSource {
    trap(refusal)
  }
}

extension DALService {
  /// Refuses a file without its format. It is not disfavoured, because the main module refuses it, too, where this one is missing.
  @available(*, unavailable, message: "name the format: from: .csv(url), or from: .json(url)")
  @discardableResult
  public func `import`<Object: ManagedObject>(
    _ type: Object.Type, from file: URL, mapping: ImportMapping<Object> = ImportMapping()
  ) async throws(ImportError) -> ImportReport { trap(refusal) }

  /// Refuses a class in the place of a request.
  @available(
    *, unavailable,
    message: "write a request: export(User.request, as: .json, to: url), or User.where(\\.age > 18)"
  )
  @discardableResult
  public func export<Object: ManagedObject>(
    _ type: Object.Type, as form: ExportForm, to file: URL
  ) async throws(ExportError) -> ExportReport { trap(refusal) }
}
