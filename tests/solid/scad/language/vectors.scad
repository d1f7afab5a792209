// Vectors and what is made of them.
v = [3, 4, 5];
m = [[1, 2, 3], [4, 5, 6], [7, 8, 10]];
echo(v + v, v - [1, 1, 1], v * 2, 2 * v, v / 2, -v, v * v, m * v, v * m, m * m, m * 2, m + m, m - m, norm(v), v[0] + v.y + v.z);
echo([for (r = m) r * r], [for (r = m) [for (c = r) c * c]], [for (i = [0:2]) m[i][i]]);
echo(concat(v, [6]), concat(v, 6), concat([v], [v]), concat([], []), len(concat(v, v)));
echo([for (a = [1, 2]) for (b = [3, 4]) a * b], [for (a = [1, 2], b = [3, 4]) a * b], [for (a = [1:3]) if (a != 2) a], [for (a = [1:4]) if (a % 2 == 0) "even" else "odd"]);
echo([for (a = [1:3]) let (b = a * a, c = b + 1) [b, c]], [each v, each [1:3], 9], [for (a = [[1, 2], [3]]) each a]);
echo([for (i = 0, s = 0; i <= 5; i = i + 1, s = s + i) s], [for (i = 10; i > 0; i = floor(i / 2)) i]);
echo(min(v), max(v), min(3, 1, 2), max(-1, -2), [1, 2] == [1, 2], [1, 2] == [1, 3], [1, 2] == [1, 2, 3], [[1]] == [[1]]);
echo(lookup(2.5, [[0, 0], [2, 20], [4, 10]]), lookup(-5, [[0, 3], [1, 4]]), lookup(5, [[0, 3], [1, 4]]), lookup(1, [[1, 7], [0, 2]]));
echo(cross([1, 2, 3], [4, 5, 6]), cross([1, 2], [3, 4]), [1, 2, 3] * [4, 5, 6]);
echo(str(v, m), str("a", "b", 1, true, undef, [1, "x"]), len(str(12345)), "abc"[0], "abc"[3], "abc" == "abc", "a" < "b");
echo([for (c = "hello") c], chr([for (c = "abc") ord(c) + 1]), search("l", "hello", 0), search("lo", "hello"));
echo(v[-1], v[3], v[1.9], v["a"], undef[0], [[1, 2], [3, 4]][1][0], [1, 2, 3].z, [[1, 2]].x);
function sum(v, i = 0) = i < len(v) ? v[i] + sum(v, i + 1) : 0;
function reverse(v) = [for (i = [len(v) - 1:-1:0]) v[i]];
function flatten(l) = [for (a = l) for (b = a) b];
function quicksort(arr) = !(len(arr) > 0) ? [] : let (pivot = arr[floor(len(arr) / 2)],
  lesser = [for (y = arr) if (y < pivot) y], equal = [for (y = arr) if (y == pivot) y],
  greater = [for (y = arr) if (y > pivot) y]) concat(quicksort(lesser), equal, quicksort(greater));
echo(sum([1, 2, 3, 4]), reverse(v), flatten(m), quicksort([3, 1, 4, 1, 5, 9, 2, 6]));
