import Testing

@testable import LegoKit

@Suite struct `Values by their numbers` {
  @Test(arguments: 0..<10 as Range<UInt64>, [false, true])
  func `are what a dictionary has, after any puts and takes`(seed: UInt64, isDense: Bool) {
    var numbers = SeededNumbers(state: seed)
    var (map, table, model) = (NumberMap<Int>(), NumberTable<Int>(), [UInt64: Int]())
    // Few numbers meet one another often; many make it grow, and shrink again.
    let range: UInt64 = isDense ? 8 : 400
    for step in 0..<2_000 {
      let number = numbers.next() % range
      // It fills up, and is emptied in between.
      if numbers.next() % 3 < (step / 500 % 2 == 0 ? 2 : 1) {
        map.insert(step, for: number)
        table.insert(step, for: number)
        model[number] = step
      } else {
        let expected = model.removeValue(forKey: number)
        #expect(map.remove(number) == expected)
        #expect(table.remove(number) == expected)
      }
      #expect(map[number] == model[number])
      #expect(table[number] == model[number])
      #expect(map.contains(number) == (model[number] != nil))
      #expect(map.isEmpty == model.isEmpty)
      #expect(table.isEmpty == model.isEmpty)
    }
    #expect(Dictionary(uniqueKeysWithValues: map.all.map { ($0.key, $0.value) }) == model)
    #expect(Set(table.keys) == Set(model.keys))
    for number in model.keys { #expect(map.remove(number) == model[number]) }
    #expect(map.isEmpty)
  }
}
