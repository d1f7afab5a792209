r = 15;      // throw
l = 60;      // rod, centre to centre
pin = 6;
fit = 0.25;
e = 0.01;
