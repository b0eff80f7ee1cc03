// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ArticleClasses
import CoreData
import Skopelos
import Testing

// The snippets of "The Easiest Core Data" in Swift, and those in Objective-C over Core Data alone.

/// The model whose name the snippets leave open.
enum DataModel {
  static let url = try! UsualFolder.model("DataModel", of: "Skopelos")
}

/// The application's service.
class SkopelosClient: Skopelos {

  static let sharedInstance = Skopelos(sqliteStack: DataModel.url)

  override func handleError(_ error: NSError) {
    // clients should do the right thing here
    print(error.description)
  }
}

@Suite(.serialized) final class SkopelosSnippetsTests {
  var skopelos: Skopelos?

  init() { SkopelosClient.sharedInstance.nuke() }

  private func names() -> [String?] {
    var names: [String?] = []
    SkopelosClient.sharedInstance.read { context in
      for user in User.SK_all(context) { names += [user.firstname, user.lastname] }
    }
    return names
  }

  // MARK: - Services

  @Test func aServiceHasAStoreInMemoryOrAFile() {
    self.skopelos = SkopelosClient(inMemoryStack: DataModel.url)
    // or
    self.skopelos = SkopelosClient(sqliteStack: DataModel.url)

    skopelos?.writeSync { context in User.SK_create(context) }
    #expect(names().count == 2)
    self.skopelos = SkopelosClient(inMemoryStack: DataModel.url)
    skopelos?.read { context in #expect(User.SK_numberOfEntities(context) == 0) }
  }

  @Test func aSingletonIsOneService() {
    #expect(SkopelosClient.sharedInstance === SkopelosClient.sharedInstance)
  }

  // MARK: - Core Data alone

  @Test func standardReadings() throws {
    SkopelosClient.sharedInstance.writeSync { context in
      User.SK_create(context).firstname = "John"
    }
    func standard(_ main: NSManagedObjectContext) -> [Any] {
      var results: [Any]! = nil

      let context = main
      context.performAndWait {

        let request = NSFetchRequest<any NSFetchRequestResult>()
        let entityDescription = NSEntityDescription.entity(
          forEntityName: NSStringFromClass(User.self),
          in: context)
        request.entity = entityDescription

        do { results = try context.fetch(request) } catch { Issue.record(error) }
      }

      return results
    }
    SkopelosClient.sharedInstance.read { context in
      #expect((standard(context) as? [User])?.map(\.firstname) == ["John"])
    }
  }

  @Test func standardWritings() {
    func standard(_ scratch: NSManagedObjectContext, save back: () -> Void) {
      let context = scratch
      context.performAndWait {

        let user =
          NSEntityDescription.insertNewObject(
            forEntityName: NSStringFromClass(User.self),
            into: context) as! User
        user.firstname = "John"
        user.lastname = "Doe"

        do {
          try context.save()
          // continue to save back to the store
          back()
        } catch { Issue.record(error) }
      }
    }
    var isSavedBack = false
    SkopelosClient.sharedInstance.writeSync { context in
      standard(context) { isSavedBack = true }
    }
    #expect(isSavedBack && names() == ["John", "Doe"])
  }

  // MARK: - Skopelos

  @Test func readings() {
    SkopelosClient.sharedInstance.writeSync { context in User.SK_create(context) }

    SkopelosClient.sharedInstance.read { context in
      let users = User.SK_all(context)
      print(users)
    }

    #expect(names() == [nil, nil])
  }

  @Test func writings() async {
    // Sync
    SkopelosClient.sharedInstance.writeSync { context in
      let user = User.SK_create(context)
      user.firstname = "John"
      user.lastname = "Doe"
    }

    let told = Told()
    SkopelosClient.sharedInstance.writeSync(
      { context in
        let user = User.SK_create(context)
        user.firstname = "John"
        user.lastname = "Doe"
      },
      completion: { (error: NSError?) in
        // changes are saved to the persistent store
        told.add(error)
      })

    #expect(names().count == 4)
    await told.wait(for: 1)

    // Async
    await Saves.next(ofRootOf: "Skopelos") {
      SkopelosClient.sharedInstance.writeAsync { context in
        let user = User.SK_create(context)
        user.firstname = "John"
        user.lastname = "Doe"
      }
    }

    SkopelosClient.sharedInstance.writeAsync(
      { context in
        let user = User.SK_create(context)
        user.firstname = "John"
        user.lastname = "Doe"
      },
      completion: { (error: NSError?) in
        // changes are saved to the persistent store
        told.add(error)
      })

    await told.wait(for: 1)
    #expect(told.errors.isEmpty && names().count == 8)
  }

  @Test func chains() {
    var user: User!
    SkopelosClient.sharedInstance.writeSync { context in
      user = User.SK_create(context)
      user.firstname = "John"
      user.lastname = "Doe"
    }.writeSync { context in
      if let userInContext = user.SK_inContext(context) {
        userInContext.SK_remove(context)
      }
    }.read { context in
      let users = User.SK_all(context)
      print(users)
    }

    #expect(names().isEmpty)
  }

  @Test func mainMethods() {
    // Each function of the list, by its type.
    let SK_create: (NSManagedObjectContext) -> User = User.SK_create
    let SK_numberOfEntities: (NSManagedObjectContext) -> Int = User.SK_numberOfEntities
    let SK_remove: (User) -> (NSManagedObjectContext) -> Void = User.SK_remove
    let SK_removeAll: (NSManagedObjectContext) -> Void = User.SK_removeAll
    let SK_all: (NSManagedObjectContext) -> [User] = User.SK_all
    let SK_allWithPredicate: (NSPredicate, NSManagedObjectContext) -> [User] = User.SK_all
    let SK_first: (NSManagedObjectContext) -> User? = User.SK_first
    SkopelosClient.sharedInstance.writeSync { context in
      let john = SK_create(context)
      john.firstname = "John"
      let jane = SK_create(context)
      #expect(SK_numberOfEntities(context) == 2 && SK_all(context).count == 2)
      #expect(
        SK_allWithPredicate(NSPredicate(format: "firstname == %@", "John"), context) == [john])
      SK_remove(john)(context)
      #expect(SK_first(context) == jane)
      SK_removeAll(context)
      #expect(SK_first(context) == nil)
    }
    #expect(names().isEmpty)
  }
}
