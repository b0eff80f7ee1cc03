// SPDX-License-Identifier: MIT

/// The fewest steps found of which the last one still fails. `failingStep` runs steps and returns the
/// number of the first one that fails.
func shrunk<Step>(_ steps: [Step], _ failingStep: ([Step]) -> Int?) -> [Step] {
  var steps = steps
  var size = steps.count / 2
  while size > 0 {
    var start = 0
    while start < steps.count {
      var fewer = steps
      fewer.removeSubrange(start..<min(steps.count, start + size))
      if let step = failingStep(fewer) {
        steps = Array(fewer.prefix(step + 1))
      } else {
        start += size
      }
    }
    size /= 2
  }
  return steps
}
