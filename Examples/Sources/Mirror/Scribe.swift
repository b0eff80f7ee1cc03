// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// The program that writes: each save inserts, changes and deletes some notes.
struct Scribe {
  private let service: DALService
  private let seed: UInt64

  init(_ service: DALService, seed: UInt64) {
    self.service = service
    self.seed = seed
  }

  func write(_ count: Int) throws {
    var random = SplitMix(state: seed)
    for _ in 0..<count {
      var dice = random
      _ = random.next()
      try service.writeSync(durability: .immediate) { context in
        context.transactionAuthor = "scribe"
        var notes = Note.all(sortedBy: \.text, in: context).shuffled(using: &dice)
        for note in notes.suffix(Int.random(in: 0...2, using: &dice)) {
          note.edition += 1
          note.text = "\(Self.words.randomElement(using: &dice) ?? "") \(dice.next() % 100_000)"
          notes.removeLast()
        }
        if notes.count > 30 { context.delete(notes[0]) }
        if notes.count < 5 || Bool.random(using: &dice) {
          let note = Note.create(in: context)
          note.edition = 1
          note.text = "new \(dice.next() % 100_000)"
        } else if Int.random(in: 0..<4, using: &dice) == 0 {
          context.delete(notes[1])
        }
      }.get()
    }
    Mirror.say("wrote \(count) times")
  }

  private static let words = ["bread", "a train", "the garden", "letters", "rain", "a song"]
}

/// Random numbers from a seed, so that a run can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
