import CaseGenerator
import AccessModel
do {
let oracle = try KernelOracle()
let generator = CaseGenerator(seed: 1, options: oracle.options())
print(generator.options)
var h: [Int32: Int] = [:]
var errors: [String: Int] = [:]
let clock = ContinuousClock()
let start = clock.now
var asked: Duration = .zero
let n = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 50
for i in 0..<n {
  let b = generator.batch(i)
  let s = clock.now
  do throws(OracleError) { for a in try oracle.answers(to: b) { h[a, default: 0] += 1 } }
  catch { errors[error.reason, default: 0] += 1; if errors.count < 20 { print(error) } }
  asked += clock.now - s
}
print(h.sorted { $0.key < $1.key }, clock.now - start, asked)
print(errors.count)
} catch { print(error) }
