// SPDX-License-Identifier: MIT
import RawStore

/// A checksum of all players in a file, whoever wrote them.
///
/// Primary keys stay out of it, because who hands them out in blocks leaves gaps; but the highest
/// one handed out must cover them all, or the next writer would hand one out again.
func contents(of path: String) -> UInt64 {
  let database = RawDatabase(path)
  let sums = [
    "count(*)", "sum(Z_ENT)", "sum(Z_OPT)", "sum(ZACTIVE)", "sum(ZAGE)", "sum(ZTEAM * ZAGE)",
    "sum(CAST(ZCREATEDAT * 1000 AS INTEGER))", "sum(CAST(ZSCORE * 1000000 AS INTEGER))",
    "sum(unicode(substr(ZEMAIL, 3)) * length(ZEMAIL))",
    "sum(unicode(ZFIRSTNAME) * length(ZFIRSTNAME))", "sum(unicode(ZLASTNAME) * length(ZLASTNAME))",
  ]
  let statement = database.prepare("SELECT \(sums.joined(separator: ", ")) FROM ZPLAYER")
  precondition(statement.step(), "A sum answers a row even of an empty table.")
  var sum = Checksum()
  for column in 0..<Int32(sums.count) { sum.add(Int(statement.integer(column))) }
  let used = database.number("SELECT coalesce(max(Z_PK), 0) FROM ZPLAYER")
  let handedOut = database.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1")
  precondition(handedOut >= used, "Key \(used) is in use, but Z_MAX is \(handedOut).")
  return sum.value
}
