import Testing

@testable import DeviceWatching

@Suite struct `Numbers of questions` {
  @Test func `keep the order in which they were added, each once`() {
    var numbers: QuestionNumbers = [3, 1]
    numbers.insert(3)
    numbers.formUnion([2, 1, 0])
    #expect(Array(numbers) == [3, 1, 2, 0])
    var touched = TouchedQuestions.some([5])
    touched.formUnion(.some([4, 5]))
    touched.formUnion(.none)
    guard case .some(let some) = touched else {
      Issue.record("not some")
      return
    }
    #expect(Array(some) == [5, 4])
    touched.formUnion(.all)
    #expect(touched == .all)
  }

  @Test func `are left out beyond a count`() {
    let many = QuestionNumbers(stride(from: 40, through: 0, by: -2))
    #expect(Array(many.below(41)) == Array(many))
    #expect(Array(many.below(7)) == [6, 4, 2, 0])
    #expect(many.below(7).contains(4) && !many.below(7).contains(8))
    #expect(many.below(0).isEmpty)
    #expect(Array(QuestionNumbers([-1, 2]).below(3)) == [2])
  }

  @Test func `are the same in any order`() {
    #expect(QuestionNumbers([1, 2]) == [2, 1])
    #expect(Set([QuestionNumbers([1, 2]), [2, 1]]).count == 1)
    #expect(QuestionNumbers([1, 2]) != [1])
  }

  @Test func `do not depend on how many they are`() {
    for _ in 0..<500 {
      let (one, other) = (Self.some(), Self.some())
      var (numbers, more) = (QuestionNumbers(one), QuestionNumbers(other))
      #expect(Set(numbers) == Set(one) && Array(numbers).count == Set(one).count)
      #expect((0..<60).allSatisfy { numbers.contains($0) == one.contains($0) })
      #expect(numbers.isDisjoint(with: more) == Set(one).isDisjoint(with: other))
      #expect((numbers == more) == (Set(one) == Set(other)))
      #expect(numbers == QuestionNumbers(one.shuffled()))
      more.formUnion(numbers)
      numbers.formUnion(QuestionNumbers(other))
      #expect(numbers == more && numbers.hashValue == more.hashValue)
    }
  }

  private static func some() -> [Int] {
    (0..<Int.random(in: 0...40)).map { _ in Int.random(in: 0..<60) }
  }
}
