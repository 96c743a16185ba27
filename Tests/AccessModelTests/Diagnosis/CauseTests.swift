import AccessModel
import Testing

/// Every cause that facts can lead to, with its status, certainty and first fix.
struct CauseTests {
  static let entry = "setfacl -m u:alice:rw /dev/video0"
  static let join = "usermod -aG video alice"
  static let dropIn = "mkdir -p /etc/systemd/system/motion.service.d"

  static let all =
    groups + lists + seats + paths + layers + containers + albums + unsure + grants
    + hardwareCases + useCases + creationCases + confined + serialCases + usbCases + modemCases
    + cardCases + sandboxCases

  @Test(arguments: all)
  func `facts lead to their cause, status and first remedy`(_ row: CauseCase) {
    let explanation = row.facts.explain()
    let said = Comment(
      rawValue: "\(explanation.cause?.summary ?? "no cause") \(explanation.evidence)")
    #expect(explanation.cause?.code == row.cause, said)
    #expect(explanation.status == row.status, said)
    #expect(explanation.answer == row.answer, said)
    #expect(explanation.answerCertainty == row.certainty, said)
    if let command = row.command {
      let words =
        explanation.remedies.map { $0.commands + $0.options } + explanation.lookups.map(\.commands)
      let first = words.lazy.compactMap(\.first).first
      #expect(first == command, said)
    }
  }
}
