import AccessModel
import Testing

@Suite struct `Id maps` {
  private let map = IDMap([
    IDMap.Range(inside: 0, outside: 1000, length: 1),
    IDMap.Range(inside: 1, outside: 100_000, length: 65_535),
  ])

  @Test(arguments: [(0, 1000), (1, 100_000), (65_535, 165_534)] as [(UInt32, UInt32)])
  func `map both ways`(inside: UInt32, outside: UInt32) {
    #expect(map.outside(inside) == outside)
    #expect(map.inside(outside) == inside)
  }

  @Test(arguments: [65_536, .max] as [UInt32])
  func `do not map what no range covers`(inside: UInt32) {
    #expect(map.outside(inside) == nil)
    #expect(map.inside(inside - 65_000) == nil)
  }

  @Test func `do not trap on ranges that overflow`() {
    let wild = IDMap([IDMap.Range(inside: 0, outside: .max - 1, length: .max)])
    #expect(wild.outside(0) == UInt32.max - 1)
    #expect(wild.outside(1) == nil)
    #expect(wild.outside(5) == nil)
    let other = IDMap([IDMap.Range(inside: .max - 1, outside: 0, length: .max)])
    #expect(other.inside(5) == nil)
  }

  @Test func `use the first range of several`() {
    let double = IDMap([
      IDMap.Range(inside: 0, outside: 7, length: 1), IDMap.Range(inside: 0, outside: 8, length: 1),
    ])
    #expect(double.outside(0) == 7)
  }

  @Test func `an empty range maps nothing`() {
    #expect(IDMap([IDMap.Range(inside: 0, outside: 0, length: 0)]).outside(0) == nil)
  }
}
