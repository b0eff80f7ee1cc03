// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
import SporadesModel

// Calls of the module SporadesImport in a program that has not imported it. The compiler chooses these functions only there,
// and reports one sentence.

extension DALService {
  /// Refuses an import without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesImport to the target in Package.swift, and import SporadesImport"
  )
  @discardableResult
  public func `import`<Object: ManagedObject>(
    _ type: Object.Type, from source: SporadesImportIsNotImported, mapping: Any? = nil,
    progress: @escaping @Sendable (SporadesImportIsNotImported) -> Void = { _ in }
  ) async throws -> SporadesImportIsNotImported { trap(refusal) }

  /// Refuses an import without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesImport to the target in Package.swift, and import SporadesImport"
  )
  @discardableResult
  public func `import`<Object: ManagedObject>(
    _ type: Object.Type, from file: URL
  ) async throws -> SporadesImportIsNotImported { trap(refusal) }

  /// Refuses an export without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesImport to the target in Package.swift, and import SporadesImport"
  )
  @discardableResult
  public func export<Object: ManagedObject>(
    _ request: TypedRequest<Object>, as form: SporadesImportIsNotImported, to file: URL
  ) async throws -> SporadesImportIsNotImported { trap(refusal) }
}

/// Stands for the formats and reports of the module SporadesImport in a program that has not imported it.
///
/// With its members the compiler reports the missing module alone. Nothing makes a value.
@dynamicMemberLookup
public struct SporadesImportIsNotImported: Sendable {
  private init() {}

  /// Stands for `ImportSource.json(_:)`.
  public static func json(_ file: URL) -> Self { trap(refusal) }
  /// Stands for `ImportSource.csv(_:)`.
  public static func csv(_ file: URL) -> Self { trap(refusal) }
  /// Stands for `ExportForm.json`.
  public static var json: Self { trap(refusal) }
  /// Stands for `ExportForm.csv`.
  public static var csv: Self { trap(refusal) }

  /// Stands for the numbers and failures of a report.
  public subscript(dynamicMember member: String) -> Self { self }
}
