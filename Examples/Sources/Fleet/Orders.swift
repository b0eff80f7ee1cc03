// SPDX-License-Identifier: MIT
import Sporades
import SporadesPostgreSQL

/// What the workers write: each order once, under the number that its worker gave it.
@Entity final class Order: ManagedObject {
  var number = ""
}

enum Orders {
  static func service(_ address: String, reads: PostgreSQLReads) -> DALService {
    DALService(
      postgres: address, entities: [Order.self], storeOptions: PostgreSQLStoreOptions(reads: reads))
  }
}
