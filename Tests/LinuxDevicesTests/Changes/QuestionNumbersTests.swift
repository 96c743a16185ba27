import Testing

@testable import LinuxDevices

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

  @Test func `are the same in any order`() {
    #expect(QuestionNumbers([1, 2]) == [2, 1])
    #expect(Set([QuestionNumbers([1, 2]), [2, 1]]).count == 1)
    #expect(QuestionNumbers([1, 2]) != [1])
  }
}
