// SPDX-License-Identifier: MIT

/// All workloads, in the order in which they are run and printed.
enum Workloads {
  static let all: [any Workload.Type] = [
    BulkInsert.self, SingleImmediate.self, SingleEventual.self, FetchObjects.self, LookUpCold.self,
    LookUpRegistered.self, FilterAndSort.self, Prefetch.self, UpdateObjects.self,
    DeleteObjects.self, DerivedCount.self, MixedReads.self, OpenForeign.self,
    GroupBy.self, Dictionaries.self, UnsavedFetch.self, MigrateAdd.self, MigrateConvert.self,
    MigrateCustom.self,
  ]
}
