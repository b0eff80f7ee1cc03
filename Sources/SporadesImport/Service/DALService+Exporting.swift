// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesDAL
public import SporadesGraph
import SporadesModel
import SporadesStore

extension DALService {
  /// Writes the objects that a request finds to a file, and returns their number.
  ///
  /// ```swift
  /// try await service.export(User.where(\.age > 18), as: .jsonLines, to: file)
  /// ```
  ///
  /// The file shows one state of the store, and gets its name when it is whole: what lay there before stays until then.
  /// An import with the same mapping makes the same objects of it. Memory holds a few thousand objects at a time.
  @discardableResult
  public func export<Object: ManagedObject>(
    _ request: TypedRequest<Object>, as form: ExportForm, to file: URL,
    mapping: ImportMapping<Object> = ImportMapping(),
    progress: @escaping @Sendable (ExportReport) -> Void = { _ in }
  ) async throws(ExportError) -> ExportReport {
    try await exportRows(
      form, mapping.rules, of: { try request.fetchRequest(in: $0) },
      body: { export in try export.write(to: file, progress) })
  }

  /// Writes the objects of an entity that a request finds to a file, as the call with a class does. No class is needed.
  @discardableResult
  public func export(
    _ request: FetchRequest, as form: ExportForm, to file: URL,
    mapping: ImportMapping<ManagedObject> = ImportMapping(),
    progress: @escaping @Sendable (ExportReport) -> Void = { _ in }
  ) async throws(ExportError) -> ExportReport {
    try await exportRows(
      form, mapping.rules, of: { _ in request },
      body: { export in try export.write(to: file, progress) })
  }

  /// Hands the objects that a request finds to a closure, as pieces of a text in UTF-8.
  ///
  /// The closure runs on a thread of the service, while the store shows one state. If it throws, the export ends.
  @discardableResult
  public func export<Object: ManagedObject>(
    _ request: TypedRequest<Object>, as form: ExportForm,
    mapping: ImportMapping<Object> = ImportMapping(),
    progress: @escaping @Sendable (ExportReport) -> Void = { _ in },
    to receiver: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(ExportError) -> ExportReport {
    try await exportRows(
      form, mapping.rules, of: { try request.fetchRequest(in: $0) },
      body: { export in try export.write(to: receiver, progress) })
  }

  /// Hands the objects of an entity that a request finds to a closure, as the call with a class does. No class is needed.
  @discardableResult
  public func export(
    _ request: FetchRequest, as form: ExportForm,
    mapping: ImportMapping<ManagedObject> = ImportMapping(),
    progress: @escaping @Sendable (ExportReport) -> Void = { _ in },
    to receiver: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(ExportError) -> ExportReport {
    try await exportRows(
      form, mapping.rules, of: { _ in request },
      body: { export in try export.write(to: receiver, progress) })
  }

  private func exportRows(
    _ form: ExportForm, _ rules: MappingRules,
    of request: @escaping @Sendable (ManagedObjectContext) throws -> FetchRequest,
    body: @escaping @Sendable (inout RowExport) throws -> ExportReport
  ) async throws(ExportError) -> ExportReport {
    do {
      return try await read { context in
        var export = try RowExport(try request(context), form, rules, in: context)
        return try body(&export)
      }
    } catch {
      throw ExportError(error)
    }
  }

  /// The objects that a request finds, as pieces of a text in UTF-8 that a `for try await` takes:
  ///
  /// ```swift
  /// for try await bytes in service.exported(User.request, as: .csv()) { try await send(bytes) }
  /// ```
  ///
  /// Each piece is read when the loop asks for it. The objects are those that the request finds in the beginning; one
  /// that was deleted since is left out.
  public func exported<Object: ManagedObject>(
    _ request: TypedRequest<Object>, as form: ExportForm,
    mapping: ImportMapping<Object> = ImportMapping()
  ) -> ExportedChunks<Object> {
    ExportedChunks(service: self, request: request, form: form, mapping: mapping)
  }
}

extension RowExport {
  /// Writes everything to a file, which gets its name when it is whole.
  fileprivate mutating func write(
    to file: URL, _ progress: (ExportReport) -> Void
  ) throws -> ExportReport {
    let draft = try FileDraft(file)
    try run(progress) { bytes throws(ExportError) in try draft.write(bytes) }
    try draft.finish()
    return report
  }

  /// Hands everything to a closure.
  fileprivate mutating func write(
    to receiver: ([UInt8]) throws -> Void, _ progress: (ExportReport) -> Void
  ) throws -> ExportReport {
    try run(progress) { bytes throws(ExportError) in
      do { try receiver(bytes) } catch {
        throw ExportError(
          .receiver, "The receiver of the export threw: \(error.ownDescription)",
          underlying: error)
      }
    }
    return report
  }
}

extension ExportError {
  /// The reason why a read that exports has failed.
  init(_ error: DALError) {
    if case .cancelled = error.code {
      self.init(.cancelled, "The export was cancelled, and no file was changed.")
      return
    }
    switch error.blockError {
    case let error as ExportError: self = error
    case let error as ImportError: self.init(.request, error.detail)
    default: self.init(.store, "\(error)", underlying: error)
    }
  }
}
