// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ArticleClasses
import CoreData
import Skopelos
import Testing

// The snippets of "The Easiest Core Data" over Skiathos, from Objective-C.

/// The application's service.
class SkiathosClient: Skiathos {
  private static let client = SkiathosClient.setupSqliteStack(withDataModelFileName: "DataModel")

  class func sharedInstance() -> SkiathosClient { client }

  override func handleError(_ error: any Error) {
    // clients should do the right thing here
    NSLog("%@", (error as NSError).description)
  }
}

/// The category's list of functions.
extension NSManagedObject {
  class func sk_create(in context: NSManagedObjectContext) -> Self { SK_create(context) }
  class func sk_numberOfEntities(in context: NSManagedObjectContext) -> UInt {
    UInt(SK_numberOfEntities(context))
  }
  func sk_delete(in context: NSManagedObjectContext) { SK_remove(context) }
  class func sk_deleteAll(in context: NSManagedObjectContext) { SK_removeAll(context) }
  class func sk_all(in context: NSManagedObjectContext) -> [Any] { SK_all(context) }
  class func sk_all(with pred: NSPredicate, in context: NSManagedObjectContext) -> [Any] {
    SK_all(pred, context: context)
  }
  class func sk_first(in context: NSManagedObjectContext) -> Self? { SK_first(context) }
}

@Suite(.serialized) final class SkiathosSnippetsTests {
  var skiathos: Skiathos?

  init() { SkiathosClient.sharedInstance().nuke() }

  private func count() -> UInt {
    var count: UInt = 0
    SkiathosClient.sharedInstance().read { context in count = User.sk_numberOfEntities(in: context)
    }
    return count
  }

  @Test func aServiceHasAStoreInMemoryOrAFile() {
    self.skiathos = Skiathos.setupInMemoryStack(withDataModelFileName: "DataModel")
    // or
    self.skiathos = Skiathos.setupSqliteStack(withDataModelFileName: "DataModel")

    skiathos?.writeSync { context in User.sk_create(in: context) }
    #expect(count() == 1)
  }

  @Test func aSingletonIsOneService() {
    #expect(SkiathosClient.sharedInstance() === SkiathosClient.sharedInstance())
  }

  @Test func readings() {
    SkiathosClient.sharedInstance().read({ context in
      let allUsers = User.all(in: context)
      NSLog("All users: %@", allUsers)
    })

    #expect(count() == 0)
  }

  @Test func writings() async {
    let told = Told()
    // Sync
    SkiathosClient.sharedInstance().writeSync({ context in
      let user = User.create(in: context)
      user.firstname = "John"
      user.lastname = "Doe"
    })

    SkiathosClient.sharedInstance().writeSync(
      { context in
        let user = User.create(in: context)
        user.firstname = "John"
        user.lastname = "Doe"
      },
      completion: { error in
        // changes are saved to the persistent store
        told.add(error)
      })

    #expect(count() == 2)
    await told.wait(for: 1)

    // Async
    await Saves.next(ofRootOf: "Skiathos") {
      SkiathosClient.sharedInstance().writeAsync({ context in
        let user = User.create(in: context)
        user.firstname = "John"
        user.lastname = "Doe"
      })
    }

    SkiathosClient.sharedInstance().writeAsync(
      { context in
        let user = User.create(in: context)
        user.firstname = "John"
        user.lastname = "Doe"
      },
      completion: { error in
        // changes are saved to the persistent store
        told.add(error)
      })

    await told.wait(for: 1)
    #expect(told.errors.isEmpty && count() == 4)
  }

  @Test func chains() {
    var user: User! = nil
    var left: Int?

    SkiathosClient.sharedInstance().write({ context in

      user = User.create(in: context)
      user.firstname = "John"
      user.lastname = "Doe"

    }).write({ context in

      let userInContext = user.in(context)!
      userInContext.delete(in: context)

    }).read({ context in

      let users = User.all(in: context)
      left = users.count

    })

    #expect(left == 0)
  }

  @Test func mainMethods() {
    SkiathosClient.sharedInstance().writeSync { context in
      let john = User.sk_create(in: context)
      john.firstname = "John"
      User.sk_create(in: context).firstname = "Jane"
      #expect(User.sk_all(in: context).count == 2 && User.sk_first(in: context) != nil)
      let predicate = NSPredicate(format: "firstname == %@", "John")
      #expect(User.sk_all(with: predicate, in: context) as? [User] == [john])
      john.sk_delete(in: context)
      #expect(User.sk_numberOfEntities(in: context) == 1)
      User.sk_deleteAll(in: context)
    }
    #expect(count() == 0)
  }
}
