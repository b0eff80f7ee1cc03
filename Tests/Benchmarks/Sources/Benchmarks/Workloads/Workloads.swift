// SPDX-License-Identifier: MIT

/// All workloads, in the order in which they are run and printed.
enum Workloads {
  static let all: [any Workload.Type] =
    [
      BulkInsert.self, SingleImmediate.self, SingleEventual.self, FetchObjects.self,
      LookUpCold.self,
      LookUpRegistered.self, FilterAndSort.self, Prefetch.self, UpdateObjects.self,
      DeleteObjects.self, DerivedCount.self, MixedReads.self, OpenForeign.self,
      GroupBy.self, Dictionaries.self, UnsavedFetch.self, KeysetPage.self,
      BatchInsert.self, BatchUpdate.self, BatchDelete.self,
      MigrateAdd.self, MigrateConvert.self, MigrateCustom.self,
      ImportLines.self, ImportAgain.self, ExportLines.self,
      MixedSave.self, ImportFilled.self,
      HistoryWrite.self, SingleEventualHistory.self, HistoryRead.self,
      ObserveUnrelated.self, ObserveOne.self, ObserveHundred.self, ObserveSorted.self,
      SearchRanked.self, SearchWrite.self, SearchUpdate.self,
    ] + (CommandLineDump.program == nil ? [] : [CommandLineDump.self])
}
