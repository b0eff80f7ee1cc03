// SPDX-License-Identifier: MIT
public import SporadesDAL
public import SporadesGraph

extension DALService {
  /// Imports records as objects, and returns how many were made, updated and refused.
  ///
  /// ```swift
  /// let report = try await service.import(User.self, from: .json(file))
  /// ```
  ///
  /// A row with a mistake is refused and described in the report, and the others go in. The rows are saved a few
  /// thousand at a time, so memory does not grow with the input. ``/SporadesImport/ImportRequest`` has all choices.
  public func `import`<Object: ManagedObject>(
    _ type: Object.Type, from source: ImportSource,
    mapping: ImportMapping<Object> = ImportMapping(),
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport {
    var request = ImportRequest(type, from: source)
    request.mapping = mapping
    return try await `import`(request, progress: progress)
  }

  /// Imports records as a request says. `progress` is called after each group of rows.
  ///
  /// If the task is cancelled, the import ends behind the present group, and throws.
  public func `import`<Object: ManagedObject>(
    _ request: ImportRequest<Object>,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws(ImportError) -> ImportReport {
    let settings = try request.settings()
    var driver: ImportDriver
    do {
      let stack = try stack()
      let shape = try stack.shape(of: Object.self, named: request.entityName)
      driver = try ImportDriver(self, settings, shape, stack.model, progress)
    } catch let error as ImportError {
      throw error
    } catch let error as ContextError {
      throw ImportError(.request, "\(error)", underlying: error)
    } catch {
      throw ImportError(.store, "\(error)", underlying: error)
    }
    return try await driver.run()
  }

  /// Begins an import whose progress a `for await` delivers:
  ///
  /// ```swift
  /// let run = service.startImport(request)
  /// for await progress in run { print(progress.bar()) }
  /// let report = try await run.report
  /// ```
  public func startImport<Object: ManagedObject>(_ request: ImportRequest<Object>) -> ImportRun {
    ImportRun { progress throws(ImportError) in
      try await self.import(request, progress: progress)
    }
  }
}
