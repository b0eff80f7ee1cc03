// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

/// The examples of FIPS 180-4, and lengths around the edges of blocks.
@Suite struct SHA2Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private let twoBlocks256 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
  private let twoBlocks512 =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  @Test func sha256EqualsTheStandardsExamples() {
    #expect(
      hex(SHA2.sha256([]))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      hex(SHA2.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex(SHA2.sha256(Array(twoBlocks256.utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hex(SHA2.sha256([UInt8](repeating: 0x61, count: 1_000_000)))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func sha512EqualsTheStandardsExamples() {
    #expect(
      hex(SHA2.sha512([]))
        == "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")
    #expect(
      hex(SHA2.sha512(Array("abc".utf8)))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    #expect(
      hex(SHA2.sha512(Array(twoBlocks512.utf8)))
        == "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909")
  }

  @Test func messagesAroundTheEdgeOfABlockDiffer() {
    var seen256: Set<[UInt8]> = []
    var seen512: Set<[UInt8]> = []
    for count in 0...260 {
      seen256.insert(SHA2.sha256([UInt8](repeating: 0, count: count)))
      seen512.insert(SHA2.sha512([UInt8](repeating: 0, count: count)))
    }
    #expect(seen256.count == 261)
    #expect(seen512.count == 261)
    // A message that leaves no room for its length, computed with another implementation.
    #expect(
      hex(SHA2.sha256([UInt8](repeating: 0, count: 56)))
        == "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb")
    #expect(
      hex(SHA2.sha512([UInt8](repeating: 0, count: 112)))
        == "2be2e788c8a8adeaa9c89a7f78904cacea6e39297d75e0573a73c756234534d6"
        + "627ab4156b48a6657b29ab8beb73334040ad39ead81446bb09c70704ec707952")
  }
}
